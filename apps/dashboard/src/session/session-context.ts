import { createContext, use } from 'react';
import type { Scope, Session } from './session.js';

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('No session is there; this view is shown too early.');
  return session;
}

/** Whether the viewer may do what needs a scope. What they may not is not offered; the service refuses it anyway. */
export function useMay(scope: Scope): boolean {
  return useSession().scopes.includes(scope);
}
