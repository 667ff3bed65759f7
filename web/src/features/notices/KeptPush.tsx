/**
 * Keep this browser registered for its user's pushes when keys change. Unregister it if another
 * user signs in.
 */
import { useEffect } from "react";
import { useAnswer } from "@/shared/http/data";
import { PREFERENCES } from "@/shared/http/keys";
import { keepRegistered, leaveHere, useRegisteredHere } from "@/shared/http/pushes";
import { useSignedIn } from "@/shared/session/session";
import { toastUnasked } from "@/shared/ui/errors";

export default function KeptPush() {
  const { id } = useSignedIn().user;
  const userId = useRegisteredHere()?.userId;
  const isMine = userId === id;
  const { data } = useAnswer(PREFERENCES, isMine ? {} : null, { quiet: true });
  const publicKey = data?.publicKey;
  useEffect(() => {
    if (userId === undefined) return;
    if (!isMine) void leaveHere();
    else if (publicKey !== undefined) keepRegistered(publicKey, id).catch(toastUnasked);
  }, [userId, isMine, publicKey, id]);
  return null;
}
