/**
 * Names that every object answers to, though it has no such member: `toString`, `constructor`, `__proto__` and the like,
 * and `prototype`. The validation finds rules for them in its own objects, or passes over them in silence. No DTO has
 * one, so whoever sends one gets it refused as unknown.
 */
const NAMES_OF_EVERY_OBJECT: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

export const isNameOfEveryObject = (name: string): boolean => NAMES_OF_EVERY_OBJECT.has(name);
