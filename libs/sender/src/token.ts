/** What a header's name, and some other words of HTTP, are made of, for a regular expression (RFC 9110, 5.6.2). */
export const TOKEN = "[!#$%&'*+.^_`|~\\dA-Za-z-]+";
