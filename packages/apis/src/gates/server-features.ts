import type { Release } from '../release.ts';
import { type FeatureGates, gateAt } from './feature-gates.ts';

/** Optional behaviour of a server, as the feature gates of the release determine it (spec 3.3). */
export interface ServerFeatures {
  /** Lists heed `limit` and `continue`. */
  readonly listChunking: boolean;
  /** Flow schemas share the places in flight; otherwise the two limits of the server do. */
  readonly priorityAndFairness: boolean;
  /** A page of a list contains the number of remaining objects. */
  readonly remainingItemCount: boolean;
  /** Large answers are compressed for clients that accept it. */
  readonly responseCompression: boolean;
  /** Writes heed `fieldValidation`, and warn of unknown fields where it is not given. */
  readonly fieldValidation: boolean;
}

/** The feature gate of each. */
export const serverGates: Readonly<Record<keyof ServerFeatures, string>> = {
  listChunking: 'APIListChunking',
  priorityAndFairness: 'APIPriorityAndFairness',
  remainingItemCount: 'RemainingItemCount',
  responseCompression: 'APIResponseCompression',
  fieldValidation: 'ServerSideFieldValidation',
};

export const serverFeatures = ({ open }: Pick<FeatureGates, 'open'>): ServerFeatures =>
  featuresBy((gate) => open.has(gate));

/** The features of a release with the default gates. */
export const defaultServerFeatures = (release: Release): ServerFeatures =>
  featuresBy((gate) => gateAt(gate, release)?.openByDefault === true);

const featuresBy = (isOpen: (gate: string) => boolean): ServerFeatures => ({
  listChunking: isOpen(serverGates.listChunking),
  priorityAndFairness: isOpen(serverGates.priorityAndFairness),
  remainingItemCount: isOpen(serverGates.remainingItemCount),
  responseCompression: isOpen(serverGates.responseCompression),
  fieldValidation: isOpen(serverGates.fieldValidation),
});
