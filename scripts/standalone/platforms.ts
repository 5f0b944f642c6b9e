/** An operating system and processor that executables are built for. */
export interface Platform {
  /** As in names of files: `linux-x64`. */
  readonly name: string;
  /** As Node and npm call them. */
  readonly os: 'linux' | 'darwin';
  readonly cpu: 'x64' | 'arm64';
  /** The package with the runtime. */
  readonly runtimePackage: string;
}

const platform = (os: Platform['os'], cpu: Platform['cpu']): Platform => ({
  name: `${os}-${cpu}`,
  os,
  cpu,
  runtimePackage: `@oven/bun-${os}-${cpu === 'arm64' ? 'aarch64' : cpu}`,
});

export const platforms: readonly Platform[] = [
  platform('linux', 'x64'),
  platform('linux', 'arm64'),
  platform('darwin', 'x64'),
  platform('darwin', 'arm64'),
];

/** The name of the platform of this process, whether there are executables for it or not. */
export const hostName = `${process.platform}-${process.arch}`;

export const platformNamed = (name: string): Platform | undefined =>
  platforms.find((one) => one.name === name);
