/** The text messages that wait or are being sent, for `select … from`. */
export const WAITING_SMS = "messages where due_at is not null and purpose <> 'mail-notice'";
/** The e-mails that do. */
export const WAITING_MAIL = "messages where due_at is not null and purpose = 'mail-notice'";
