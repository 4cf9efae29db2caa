import { notFound } from 'next/navigation';
import { cache } from 'react';
import { database } from '@/db';
import { looksLikeId } from '@/lib/auth';
import { TesseraError } from '@/lib/errors';
import { getImage, type ImageDetail } from '@/lib/images/get-image';

/** The image of a page, or the not-found page. */
export const pageImage = cache(
  async (projectId: string, imageId: string, namesWorkers: boolean): Promise<ImageDetail> => {
    if (!looksLikeId(imageId)) notFound();
    return getImage(database(), { projectId, imageId, namesWorkers }).catch((error) => {
      if (error instanceof TesseraError && error.kind === 'not-found') notFound();
      throw error;
    });
  },
);
