import type { KvEvent, Revision } from './store.ts';

/** The revision of the commit that an event reports. */
export const eventRevision = (event: KvEvent): Revision =>
  event.type === 'put' ? event.kv.modRevision : event.modRevision;

/** The key that an event is about. */
export const eventKey = (event: KvEvent): string => (event.type === 'put' ? event.kv.key : event.key);
