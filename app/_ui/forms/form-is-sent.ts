'use client';

import { createContext } from 'react';

/** True inside an `ActionForm` while its action runs. */
export const FormIsSent = createContext(false);
