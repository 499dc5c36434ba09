/** The service's logger: an interface, so it needs a token to be injected by. */
export const LOGGER = Symbol('logger');
