import { Matches } from 'class-validator';
import type { TextFormat } from '@form-webhooks/domain';

/**
 * The text has this format. class-validator's own `Matches` would tell the caller a regular expression.
 * @param options `each`: the member is a list of such texts
 */
export const HasFormat = ({ pattern, words }: TextFormat, options: { readonly each?: true } = {}): PropertyDecorator =>
  Matches(pattern, { ...options, message: `${options.each ? 'each value in ' : ''}$property must be ${words}` });
