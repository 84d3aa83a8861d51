// Writes the types of the API for the console, from the description that the service makes of itself.
import { writeFileSync } from 'node:fs';
import openapiTypes, { astToString } from 'openapi-typescript';
import { RECORD_TYPES } from '../src/dns/record-types.ts';
import { documentOf } from '../src/http/openapi/document.ts';
import { allRoutes } from './routes.mjs';

const document = documentOf(allRoutes(), { publicUrl: '', accessDeniedStatus: 401 });
const types = astToString(await openapiTypes(JSON.parse(JSON.stringify(document))));
const names = RECORD_TYPES.map((type) => `'${type}'`).join(' | ');
writeFileSync('console/api/openapi.ts', `${types}export type RecordType = ${names};\n`);
