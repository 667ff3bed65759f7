/** A record's thumbnail. If its address opens nothing any more, `onExpired` runs. */
import PictureOutlined from "@ant-design/icons/es/icons/PictureOutlined";
import { useState } from "react";
import { useOpenAddress } from "@/shared/http/picturePass";
import "./picture.css";

interface Props {
  address: string | null | undefined;
  /** Loads the record again, with a new address. Omit it if that happens anyway. */
  onExpired?: () => void;
  /** Empty if the record's name is shown beside it. */
  alt?: string;
  className?: string;
}

export function Thumb({ address: place, onExpired, alt = "", className = "ob-thumb" }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  const address = useOpenAddress(place);
  if (address === null || address === failed) {
    return (
      <span className={`${className} ob-thumb--none`}>
        <PictureOutlined aria-hidden />
      </span>
    );
  }
  return (
    <img
      className={className}
      src={address}
      alt={alt}
      loading="lazy"
      decoding="async"
      onError={() => {
        setFailed(address);
        onExpired?.();
      }}
    />
  );
}
