import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Broker, IntakeHold, type HoldReason } from '@form-webhooks/broker';

const BLOCKED: HoldReason = { why: 'the broker blocks publishing', extent: 'work' };

/** While what follows from work can't be made safe, none is taken. */
@Injectable()
export class HoldWhileBlocked implements OnModuleInit {
  constructor(
    private readonly broker: Broker,
    private readonly intake: IntakeHold,
  ) {}

  onModuleInit(): void {
    this.broker.publishing.onBlocked((blocked) =>
      blocked ? void this.intake.hold(BLOCKED) : this.intake.release(BLOCKED),
    );
  }
}
