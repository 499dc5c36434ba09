import { EVENT_NAMES, type EventName } from '@form-webhooks/domain/enumerations';
import { SETTING_LABELS } from '../text/setting-labels.js';
import { useText } from '../text/text.js';
import { Check } from '../ui/field.js';

interface EventChoiceProps {
  readonly chosen: readonly EventName[];
  readonly onChange: (chosen: EventName[]) => void;
  readonly disabled?: boolean;
}

export function EventChoice({ chosen, onChange, disabled = false }: EventChoiceProps) {
  const t = useText();
  return (
    <fieldset disabled={disabled} data-wrong={chosen.length === 0 || undefined}>
      <legend>{t(SETTING_LABELS.events)}</legend>
      {EVENT_NAMES.map((event) => (
        <Check
          key={event}
          label={
            <>
              {t(`event.${event}`)} <code>{event}</code>
            </>
          }
          checked={chosen.includes(event)}
          onChange={(checked) =>
            onChange(EVENT_NAMES.filter((one) => (one === event ? checked : chosen.includes(one))))
          }
        />
      ))}
      {chosen.length === 0 && (
        <p className="error" role="alert">
          {t('endpoint.events.none')}
        </p>
      )}
    </fieldset>
  );
}
