import { z } from 'zod';

/** As people read it in filters and reports. */
export const SliceName = z.string().trim().min(1, 'Give the slice a name.').max(80);
