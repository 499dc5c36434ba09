export * from './broker.js';
export * from './broker-logger.js';
export * from './broker-server.js';
export * from './parked-messages.js';
export * from './retry-queues.js';
export { RpcFailed, RpcUnavailable, rpcPattern, type RpcClient } from './rpc.js';
export { PublishFailed, type OutgoingMessage, type PublishFailure, type SafePublisher } from './safe-publisher.js';
export * from './topology.js';
export * from './verdict.js';
