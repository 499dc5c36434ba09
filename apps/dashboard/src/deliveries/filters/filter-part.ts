import type { DeliverySearch } from '../delivery-filter.js';

/** Narrows the log, or widens it again: an empty text takes a field out. */
export type ChangeFilter = (changed: DeliverySearch) => void;

/** What a part of the filter is given. */
export interface FilterPartProps {
  readonly search: DeliverySearch;
  readonly onChange: ChangeFilter;
}
