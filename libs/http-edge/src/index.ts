export * from './network-of.js';
