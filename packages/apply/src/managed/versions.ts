import type { MutableJsonObject } from '@orch/machinery/json';
import type { ObjectShapes } from '../shape/shapes.ts';

/** The versions of one kind, as far as field ownership depends on them. */
export interface KindVersions {
  /** The shape of objects in a version; undefined for one that is no longer served, whose owners are dropped. */
  shapes(apiVersion: string): ObjectShapes | undefined;
  /**
   * The object in another version; undefined when it does not exist there. Pure; called only where the two versions have
   * different shapes.
   */
  convert(object: MutableJsonObject, from: string, to: string): MutableJsonObject | undefined;
}
