/** Over plain HTTP, to another host than this one, browsers compute neither hashes nor signatures. */
export const canHash = isSecureContext;
