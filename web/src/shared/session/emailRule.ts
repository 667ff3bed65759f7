/** The valid e-mails of an account: the server's pattern (`project/identity/schemas.py`). */
export const EMAIL = /^[\w.+-]+@([\w-]+\.)+[A-Za-z]{2,24}$/;
