/** A day, `YYYY-MM-DD` on screen and in the form's values; the calendar speaks en-GB. Specification 2, section 9. */
import DatePicker from "antd/es/date-picker";
import enGB from "antd/es/date-picker/locale/en_GB";
import dayjs from "dayjs";
import "dayjs/locale/en-gb";

const FORMAT = "YYYY-MM-DD";

interface Props {
  id?: string;
  value?: string | null;
  onChange?: (day: string | null) => void;
  placeholder?: string;
  disabled?: boolean;
  allowClear?: boolean;
  "aria-label"?: string;
}

export function DayField({ value, onChange, placeholder = FORMAT, ...rest }: Props) {
  return (
    <DatePicker
      {...rest}
      className="ob-day"
      locale={enGB}
      format={FORMAT}
      placeholder={placeholder}
      value={value ? dayjs(value, FORMAT).locale("en-gb") : null}
      onChange={(day) => onChange?.(day === null ? null : day.format(FORMAT))}
    />
  );
}
