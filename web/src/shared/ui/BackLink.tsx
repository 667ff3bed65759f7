/** From a record to the list it stands in. */
import ArrowLeftOutlined from "@ant-design/icons/es/icons/ArrowLeftOutlined";
import type { ReactNode } from "react";
import { Link } from "react-router";
import "./BackLink.css";

export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className="ob-back" to={to}>
      <ArrowLeftOutlined aria-hidden /> {children}
    </Link>
  );
}
