/** The e-mail of an account, as the server takes it (`project/identity/schemas.py`). */
export const EMAIL = /^[\w.+-]+@([\w-]+\.)+[A-Za-z]{2,24}$/;
