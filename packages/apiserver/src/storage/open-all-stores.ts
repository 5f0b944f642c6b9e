import { openAll } from '@orch/program';
import type { Store } from '@orch/storage';
import type { StoreOverride } from '../settings/store-overrides.ts';
import { type StoreSettings, type StoresSettings, settingsOfOverride } from '../settings/store-settings.ts';

/** An opened store, and the resources in it; undefined for the main store, which has all others. */
export interface PlacedStore {
  readonly store: Store;
  readonly override: StoreOverride | undefined;
  readonly settings: StoreSettings;
}

/** Opens the stores of the flags, the main store first. When one fails, the others are closed. */
export async function openAllStores(
  settings: StoresSettings,
  open: (settings: StoreSettings, signal: AbortSignal) => Promise<Store>,
  signal: AbortSignal,
): Promise<readonly [PlacedStore, ...PlacedStore[]]> {
  const opening = (override: StoreOverride | undefined, own: StoreSettings) => ({
    open: async (stop: AbortSignal): Promise<PlacedStore> => ({
      store: await open(own, stop),
      override,
      settings: own,
    }),
    close: ({ store }: PlacedStore) => store.close(),
  });
  return openAll<[PlacedStore, ...PlacedStore[]]>(
    [
      opening(undefined, settings),
      ...settings.overrides.map((override) => opening(override, settingsOfOverride(settings, override))),
    ],
    signal,
  );
}
