/** The line detail as a page; where closing leads depends on where it was opened. Specification 2, section 2. */
import { useNavigate, useParams } from "react-router";
import { LineDetail } from "./line/LineDetail";
import { pathAfterLine } from "./paths";
import { useScannerTyping } from "./scanning/scanning";

export default function LinePage() {
  const navigate = useNavigate();
  const { id, position, configuration } = useParams();
  useScannerTyping();
  return (
    <div className="ob-line-page">
      <LineDetail
        salesOrderId={Number(id)}
        position={Number(position)}
        onClose={() => void navigate(pathAfterLine(Number(id), configuration))}
      />
    </div>
  );
}
