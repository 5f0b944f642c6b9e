/** The client library that the control plane itself uses: a test that imports it from here needs no second package. */
export * from '@orch/client';
