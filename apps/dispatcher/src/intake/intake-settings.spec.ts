import { loadSettings, SettingsError } from '@form-webhooks/settings';
import { expect, it } from 'vitest';
import { IntakeSettings } from './intake-settings.js';

it('a dispatcher may not hold less than what waits for slow receivers and what all others need', () => {
  expect(loadSettings(IntakeSettings, {}).heldBytesMax).toBe(67_108_864);
  expect(loadSettings(IntakeSettings, { HELD_BYTES_MAX: '134217728' }).heldBytesMax).toBe(134_217_728);
  expect(() => loadSettings(IntakeSettings, { HELD_BYTES_MAX: '33554432' })).toThrow(SettingsError);
});
