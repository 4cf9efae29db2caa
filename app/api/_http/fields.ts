import { z } from 'zod';

/** A moment as it leaves the API: RFC 3339 in UTC. Services speak of dates. */
export const moment = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString() : value),
  z.iso.datetime(),
);

export const id = z.uuid();

export const personName = z.string().trim().min(1).max(100);
export const email = z
  .email()
  .max(254)
  .transform((value) => value.toLowerCase());
export const password = z.string().min(10, 'at least 10 characters').max(128);

/** A moment that a caller gives. */
export const futureMoment = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) > Date.now(), 'must lie in the future')
  .transform((text) => new Date(text));
