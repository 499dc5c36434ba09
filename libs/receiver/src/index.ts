export { Deduplicator, type DeduplicatorOptions } from './deduplicator.js';
export { DEFAULT_TOLERANCE_SECONDS, verifyReplayWindow } from './replay-window.js';
export { SIGNATURE_HEADER, verifySignature } from './signature.js';
