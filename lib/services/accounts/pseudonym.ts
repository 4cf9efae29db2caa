import { z } from 'zod';

/**
 * An account has an address, because sign-in knows accounts by it. Who leaves none gets one under a name that
 * RFC 2606 reserves: no mail can ever reach it, and nobody can own it.
 */
const pseudonyms = '@pseudonym.invalid';
const visitors = '@marketplace.invalid';

export const Pseudonym = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9._-]{2,39}$/i,
    'Use 3 to 40 letters, digits, dots, hyphens or underscores; begin with a letter or a digit.',
  )
  .refine((text) => !/\.\.|\.$/.test(text), 'Do not end with a dot or put two in a row.');

export const emailOfPseudonym = (pseudonym: string): string => `${pseudonym.toLowerCase()}${pseudonyms}`;

/** For somebody whom a marketplace sends: the account's own id, so that the address tells nothing about them. */
export const emailOfVisitor = (userId: string): string => `${userId}${visitors}`;

/** What a person types to sign in: an address, or a pseudonym. */
export const signInAddress = (typed: string): string =>
  typed.includes('@') ? typed.trim().toLowerCase() : emailOfPseudonym(typed.trim());

export const isPseudonymous = (email: string): boolean => email.toLowerCase().endsWith(pseudonyms);

/** An address as people read it: a pseudonym, or nothing, where there is no real one. */
export function shownAddress(email: string): string {
  if (isPseudonymous(email)) return email.slice(0, -pseudonyms.length);
  return email.endsWith(visitors) ? '' : email;
}

/** A real address: nobody may claim one of the made-up ones. */
export const RealEmail = z
  .email('Write the whole address: name@example.org.')
  .max(254)
  .refine((email) => !/\.invalid$/i.test(email), 'This address cannot exist. Leave it out instead.');
