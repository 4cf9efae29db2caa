import { notFound } from 'next/navigation';
import { cache } from 'react';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { looksLikeId } from '@/lib/services/access';
import { getImage, type ImageDetail } from '@/lib/services/images/get-image';

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
