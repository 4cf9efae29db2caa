export const languageCookie = 'tessera-language';
/** Written by the browser, because only it knows its time zone. */
export const zoneCookie = 'tessera-zone';

export const oneYear = 365 * 86_400;
