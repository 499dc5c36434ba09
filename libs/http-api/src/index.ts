export * from './problem.dto.js';
export * from './scopes.js';
