export { DataSource } from 'typeorm';
export * from './config/index.js';
export * from './data-source.js';
export * from './log/index.js';
export * from './migrate.js';
export { LOCKS, lockSubject, lockSubjectIfFree, withLock, withLockIfFree } from './session-lock.js';
