import { describe, expect, it } from 'vitest';
import { beginningCookie, endingCookie, sessionToken } from './session-cookie.js';

const TOKEN = 'a'.repeat(43);

describe('the cookie of a session', () => {
  it('can be read by no script and goes to no other site', () => {
    expect(beginningCookie(TOKEN, false, 60)).toBe(`dashboard=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60`);
    expect(endingCookie(false)).toContain('Max-Age=0');
  });

  it('is bound to the host, and goes over TLS alone, where the browser came by TLS', () => {
    expect(beginningCookie(TOKEN, true, 60)).toMatch(/^__Host-dashboard=.*; Secure$/);
    expect(sessionToken(`dashboard=${TOKEN}`, true)).toBeUndefined();
  });

  it('is found among others, and nothing else is taken for it', () => {
    expect(sessionToken(`a=b; dashboard=${TOKEN}; c=d`, false)).toBe(TOKEN);
    expect(sessionToken(`xdashboard=${TOKEN}`, false)).toBeUndefined();
    expect(sessionToken('dashboard=short', false)).toBeUndefined();
    expect(sessionToken(undefined, false)).toBeUndefined();
  });
});
