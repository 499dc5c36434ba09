export {
  ensureAuthority,
  issueCertificate,
  loadAuthority,
  LOCAL_HOSTS,
  type CertificateAuthority,
  type CertificateRequest,
  type IssuedCertificate,
} from './certificates.js';
export { LocalFailure, reasonOf } from './failure.js';
export { chooseFreePort, choosePorts, isPortFree } from './free-port.js';
export { ManagedProcess, type ProcessEnd, type ProcessPlan } from './managed-process.js';
export { temporaryFolder, type TemporaryFolder } from './temporary-folder.js';
export { PostgresServer, type PostgresOptions } from './postgres-server.js';
export { providePostgres, provideRabbitMq, type Provided, type ProvideOptions } from './provide.js';
export { RabbitMqServer, type RabbitMqOptions } from './rabbitmq-server.js';
export { NODE_FLAGS, startService, type ServiceOptions, type ServiceProcess } from './service-process.js';
