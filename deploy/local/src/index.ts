export {
  ensureAuthority,
  issueCertificate,
  loadAuthority,
  type CertificateAuthority,
  type CertificateRequest,
  type IssuedCertificate,
} from './state/certificates.js';
export { LocalFailure, reasonOf } from './failure.js';
export { prometheusPrograms, type PrometheusPrograms } from './observe/prometheus-programs.js';
export { PrometheusServer, type PrometheusOptions } from './observe/prometheus-server.js';
export { chromiumProgram } from './provide/chromium.js';
export { chooseFreePort, choosePorts, isPortFree } from './provide/free-port.js';
export { ManagedProcess, type ProcessEnd, type ProcessPlan } from './processes/managed-process.js';
export { temporaryFolder, type TemporaryFolder } from './state/temporary-folder.js';
export { migrateAsOwner } from './postgres/migrate-as-owner.js';
export { postgresTool, type PostgresTool } from './postgres/postgres-tools.js';
export { PostgresServer, type PostgresOptions } from './postgres/postgres-server.js';
export { entryOf, NODE_FLAGS, type ServiceName } from './processes/services.js';
export { providePostgres, provideRabbitMq, type Provided, type ProvideOptions } from './provide/provide.js';
export { RabbitMqServer, type RabbitMqOptions } from './rabbitmq/rabbitmq-server.js';
export {
  MALLOC_ENVIRONMENT,
  startService,
  type ServiceOptions,
  type ServiceProcess,
} from './processes/service-process.js';
