/** Reasons of the condition `Available`, for clients. */
export type AvailabilityReason =
  | 'Local'
  | 'Passed'
  | 'FailedDiscoveryCheck'
  | 'ServiceNotFound'
  | 'ServiceAccessError'
  | 'ServicePortError'
  | 'EndpointsNotFound'
  | 'EndpointsAccessError'
  | 'MissingEndpoints';

/** Whether the group version of an API service can be reached, and why not. */
export interface Availability {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: AvailabilityReason;
  readonly message: string;
}

export const unavailable = (reason: AvailabilityReason, message: string): Availability => ({
  status: 'False',
  reason,
  message,
});
