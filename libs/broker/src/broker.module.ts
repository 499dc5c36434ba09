import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { Broker, type BrokerOptions } from './broker.js';
import { showBroker, type BrokerMeters } from './broker-meters.js';
import { BrokerServer, type BrokerServerOptions } from './consume/broker-server.js';
import { IntakeHold } from './intake/intake-hold.js';
import { ParkedMessages } from './parked/parked-messages.js';
import { SafePublisher } from './publish/safe-publisher.js';
import { RpcClient } from './rpc/rpc.js';

export type BrokerModuleOptions = BrokerOptions &
  BrokerServerOptions & {
    /** The queues that `IntakeHold` holds: those of which no message is taken while the work on them can't go on. */
    readonly intake: readonly string[];
    /** Where the service shows how it stands with the broker. */
    readonly meters: BrokerMeters;
  };

/** Nobody asks for it: it is there so that the metrics are. */
const SHOWN = Symbol('shown to operators');

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<BrokerModuleOptions>()
  .setClassMethodName('forRoot')
  .build();

/**
 * A service's way to the broker, once in a service. `BrokerServer` is the transport strategy that the app is connected
 * with. The start of a service opens and closes the connections: consumers must be drained before, and what a stop still
 * publishes must be confirmed.
 */
@Module({
  providers: [
    { provide: Broker, inject: [MODULE_OPTIONS_TOKEN], useFactory: (options: BrokerOptions) => new Broker(options) },
    {
      provide: BrokerServer,
      inject: [Broker, MODULE_OPTIONS_TOKEN],
      useFactory: (broker: Broker, options: BrokerServerOptions) => new BrokerServer(broker, options),
    },
    {
      provide: IntakeHold,
      inject: [BrokerServer, MODULE_OPTIONS_TOKEN],
      useFactory: (server: BrokerServer, { intake, logger }: BrokerModuleOptions) =>
        new IntakeHold(server, intake, logger),
    },
    {
      provide: SHOWN,
      inject: [MODULE_OPTIONS_TOKEN, Broker, BrokerServer, IntakeHold],
      useFactory: ({ meters }: BrokerModuleOptions, broker: Broker, server: BrokerServer, hold: IntakeHold) =>
        showBroker(meters, broker, server, hold),
    },
    { provide: SafePublisher, inject: [Broker], useFactory: ({ publisher }: Broker) => publisher },
    { provide: RpcClient, inject: [Broker], useFactory: ({ rpc }: Broker) => rpc },
    { provide: ParkedMessages, inject: [Broker], useFactory: (broker: Broker) => new ParkedMessages(broker) },
  ],
  exports: [Broker, BrokerServer, IntakeHold, SafePublisher, RpcClient, ParkedMessages],
})
export class BrokerModule extends ConfigurableModuleClass {}
