import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Class names where the later one wins, so that a caller can adjust a component. */
export const cn = (...names: ClassValue[]) => twMerge(clsx(names));
