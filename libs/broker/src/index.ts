export * from './broker.js';
export * from './broker-logger.js';
export * from './consume/broker-server.js';
export * from './intake/intake-hold.js';
export { RetryLoop, type RetryPlan } from './intake/retry-loop.js';
export { KnownCopies } from './publish/known-copies.js';
export * from './parked/parked-messages.js';
export * from './retry/retry-queues.js';
export { RpcFailed, RpcUnavailable, rpcPattern, type RpcClient } from './rpc/rpc.js';
export {
  PublishFailed,
  type OutgoingMessage,
  type PublishFailure,
  type SafePublisher,
} from './publish/safe-publisher.js';
export * from './topology.js';
export * from './consume/verdict.js';
