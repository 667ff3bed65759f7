/** Show the line detail as a page. The path says where closing the page leads. */
import { useNavigate, useParams } from "react-router";
import { useLineScanner } from "@/entities/scanning/openLine";
import { LineDetail } from "./line/LineDetail";
import { pathAfterLine } from "./paths";

export default function LinePage() {
  const navigate = useNavigate();
  const { id, position, configuration } = useParams();
  useLineScanner();
  return (
    <div className="ob-line-page">
      <LineDetail
        keyed
        salesOrderId={Number(id)}
        position={Number(position)}
        onClose={() => void navigate(pathAfterLine(Number(id), configuration))}
      />
    </div>
  );
}
