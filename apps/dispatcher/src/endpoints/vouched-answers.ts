import { OnceAMinute, type KeyRing } from '@form-webhooks/domain';
import { formEndpointsText, type FormEndpointsReply } from '@form-webhooks/messages';
import type { Logger, Metrics } from '@form-webhooks/telemetry';

/**
 * Tells config's answers from those of anybody else who can read `config.rpc`: config vouches for each with the key
 * ring. What nobody vouches for is never acted on, since its URLs and its deletions may be an intruder's.
 */
export class VouchedAnswers {
  private readonly refused;
  private readonly refusals = new OnceAMinute();

  /** @param onAccepted told of each answer that is config's */
  constructor(
    private readonly keyRing: KeyRing,
    metrics: Metrics,
    private readonly logger: Logger,
    private readonly onAccepted: (reply: FormEndpointsReply) => void = () => undefined,
  ) {
    this.refused = metrics.counter(
      'webhook_form_answers_refused_total',
      'Answers about forms that config did not make.',
    );
  }

  /** @returns false, counted and told, if it is not config's answer to this question */
  accept(formId: string, reply: FormEndpointsReply): boolean {
    try {
      this.keyRing.checkVoucher(formEndpointsText(formId, reply), reply.voucher);
    } catch (error) {
      this.refused.inc();
      this.tell(formId, error as Error);
      return false;
    }
    this.onAccepted(reply);
    return true;
  }

  private tell(formId: string, error: Error): void {
    if (!this.refusals.isDue()) return;
    this.logger.error(
      { form_id: formId, why: error.message },
      'an answer about a form is not from a config with our key ring: deliveries wait',
    );
  }
}
