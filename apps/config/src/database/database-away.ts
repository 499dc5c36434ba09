/**
 * Classes and codes of SQLSTATE that speak of the database and not of what it was asked: connection (08), a standby
 * (25006), its log-in and its name (28, 3D), resources (53), not in the state for it, such as one that takes no
 * connections (55), shutdown and start (57P), its disk (58).
 */
const PASSING_STATES = /^(08|25006|28|3D|53|55|57P|58)/;
/** What Node says when nobody answers. */
const NETWORK_CODES = /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/;
/** What the pool and the driver say. */
const WITHOUT_CODE = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** Whether an error means that the database can serve nobody now, whatever it is asked: the same will do later. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') {
    if (NETWORK_CODES.test(code)) return true;
    if (/^[0-9A-Z]{5}$/.test(code) && PASSING_STATES.test(code)) return true;
  }
  return typeof message === 'string' && WITHOUT_CODE.test(message);
}
