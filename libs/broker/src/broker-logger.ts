/** What the broker layer needs of a logger (pino's shape). */
export interface BrokerLogger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
