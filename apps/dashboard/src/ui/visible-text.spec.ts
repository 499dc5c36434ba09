import { describe, expect, it } from 'vitest';
import { partsOf, visibleText } from './visible-text.js';

describe('a text of unknown origin', () => {
  it('shows escapes of a terminal instead of obeying them', () => {
    expect(visibleText('\u001b[2J\u0007\u007f')).toBe('␛[2J␇␡');
  });

  it('names marks that would turn the text around', () => {
    expect(visibleText('a\u202eb\u2066c\u200fd')).toBe('a⟦U+202E⟧b⟦U+2066⟧c⟦U+200F⟧d');
  });

  it('is otherwise as it was, with its lines and tabs', () => {
    expect(visibleText('<b>Zoë</b>\n\t日本 🎉')).toBe('<b>Zoë</b>\n\t日本 🎉');
  });
});

describe('a long text', () => {
  it('is laid out in parts of whole lines, and loses nothing', () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `"k${n}": ${n},`).join('\n');
    const parts = partsOf(text);
    expect(parts).toHaveLength(100);
    expect(parts.join('') === text).toBe(true);
    expect(partsOf('one line')).toEqual(['one line']);
  });
});
