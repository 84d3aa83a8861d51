// Writes the types of the API for the console, from the description that the service makes of itself.
import { writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import { documentOf } from '../src/http/openapi/document.ts';
import { allRoutes } from './routes.mjs';

const document = documentOf(allRoutes(), { publicUrl: '', accessDeniedStatus: 401 });
const types = astToString(await openapiTypes(JSON.parse(JSON.stringify(document))));
writeFileSync('console/api/openapi.ts', types);
