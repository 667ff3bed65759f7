/** A record's picture, small. Its address lasts an hour or two: one that has run out asks for a new one. */
import PictureOutlined from "@ant-design/icons/es/icons/PictureOutlined";
import { useState } from "react";
import "./picture.css";

interface Props {
  address: string | null | undefined;
  /** Loads the record anew, with a fresh address; left out where that is loaded anyway. */
  onExpired?: () => void;
  /** Empty where the record's name stands beside it. */
  alt?: string;
  className?: string;
}

export function Thumb({ address, onExpired, alt = "", className = "ob-thumb" }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  if (!address || address === failed) {
    return (
      <span className={`${className} ${className}--none`}>
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
