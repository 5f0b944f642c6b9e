const two = (major: number, unit: string, minor: number, minorUnit: string): string =>
  minor === 0 ? `${major}${unit}` : `${major}${unit}${minor}${minorUnit}`;

/** An age in readable form, as in the Age column of tables: two units at most, fewer the older it is. */
export function humanAge(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return two(days, 'd', hours % 24, 'h');
  const years = Math.trunc(days / 365);
  if (years < 2) return `${days}d`;
  return years < 8 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}
