package main

// plainCountryNames are the names to show where the source's first English name is not the common one.
func plainCountryNames() map[string]string {
	return map[string]string{
		"US": "United States", "GB": "United Kingdom", "CN": "China", "RU": "Russia", "KR": "South Korea",
		"KP": "North Korea", "TW": "Taiwan", "IR": "Iran", "SY": "Syria", "LA": "Laos", "VN": "Vietnam",
		"MD": "Moldova", "TZ": "Tanzania", "BN": "Brunei", "CZ": "Czechia", "MK": "North Macedonia",
		"NL": "Netherlands", "IE": "Ireland", "PS": "Palestine", "VA": "Vatican City", "CI": "Côte d'Ivoire",
		"CG": "Republic of the Congo", "CD": "Democratic Republic of the Congo", "FK": "Falkland Islands",
		"GM": "Gambia", "XK": "Kosovo", "VG": "British Virgin Islands", "VI": "U.S. Virgin Islands",
	}
}

// otherCountryNames are unofficial names of countries.
func otherCountryNames() map[string][]string {
	return map[string][]string{
		"US": {"USA", "U.S.", "U.S.A.", "US of A", "America", "United States", "United States of America", "EE. UU.", "EEUU", "États-Unis"},
		"GB": {"UK", "U.K.", "Great Britain", "Britain", "England", "Scotland", "Wales", "Northern Ireland"},
		"NL": {"Holland", "The Netherlands"},
		"AE": {"UAE", "U.A.E.", "Emirates"},
		"CZ": {"Czech Republic"},
		"TR": {"Turkey", "Türkiye"},
		"CI": {"Ivory Coast"},
		"KR": {"South Korea", "Korea", "Republic of Korea"},
		"RU": {"Russia", "Russian Federation"},
		"IE": {"Eire", "Republic of Ireland"},
		"BA": {"Bosnia"},
		"MK": {"Macedonia"},
		"VN": {"Viet Nam"},
		"SZ": {"Swaziland"},
		"MM": {"Burma"},
		"CV": {"Cabo Verde"},
		"DE": {"BRD"},
		"CH": {"Helvetia"},
	}
}

// otherRegionNames are abbreviations and native names by country and name.
func otherRegionNames() map[string][]string {
	return map[string][]string{
		"US/District of Columbia": {"D.C.", "Washington DC", "Washington D.C."},

		"CA/Alberta": {"AB"}, "CA/British Columbia": {"BC"}, "CA/Manitoba": {"MB"}, "CA/New Brunswick": {"NB"},
		"CA/Newfoundland and Labrador": {"NL", "Newfoundland"}, "CA/Northwest Territories": {"NT"},
		"CA/Nova Scotia": {"NS"}, "CA/Nunavut": {"NU"}, "CA/Ontario": {"ON"}, "CA/Prince Edward Island": {"PE", "PEI"},
		"CA/Quebec": {"QC", "PQ"}, "CA/Saskatchewan": {"SK"}, "CA/Yukon": {"YT"},

		"AU/New South Wales": {"NSW"}, "AU/Victoria": {"VIC"}, "AU/Queensland": {"QLD"}, "AU/South Australia": {"SA"},
		"AU/Western Australia": {"WA"}, "AU/Tasmania": {"TAS"}, "AU/Northern Territory": {"NT"},
		"AU/Australian Capital Territory": {"ACT"},

		"DE/Baden-Wurttemberg": {"Baden-Württemberg", "BW"}, "DE/Bavaria": {"Bayern", "BY"}, "DE/Hesse": {"Hessen", "HE"},
		"DE/Lower Saxony": {"Niedersachsen", "NI"}, "DE/North Rhine-Westphalia": {"Nordrhein-Westfalen", "NRW", "NW"},
		"DE/Rheinland-Pfalz": {"Rhineland-Palatinate", "RP"}, "DE/Saxony": {"Sachsen", "SN"},
		"DE/Saxony-Anhalt": {"Sachsen-Anhalt", "ST"}, "DE/Thuringia": {"Thüringen", "TH"},
		"DE/State of Berlin": {"Berlin", "BE"}, "DE/Hamburg": {"HH"},

		"BR/São Paulo": {"SP"}, "BR/Rio de Janeiro": {"RJ"}, "BR/Minas Gerais": {"MG"}, "BR/Bahia": {"BA"},
		"BR/Paraná": {"PR"}, "BR/Rio Grande do Sul": {"RS"}, "BR/Santa Catarina": {"SC"}, "BR/Pernambuco": {"PE"},
		"BR/Ceará": {"CE"}, "BR/Goiás": {"GO"}, "BR/Federal District": {"DF", "Distrito Federal"},

		"MX/Mexico City": {"CDMX", "Ciudad de México", "DF", "D.F."}, "MX/Jalisco": {"JAL", "Jal."},
		"MX/Nuevo León": {"NL", "N.L."},
	}
}

// otherPlaceNames are other common names by country and name.
func otherPlaceNames() map[string][]string {
	return map[string][]string{
		"US/New York City":     {"New York", "NYC", "Manhattan"},
		"US/Washington":        {"Washington DC", "Washington, D.C."},
		"US/San Francisco":     {"SF", "San Fran"},
		"US/Los Angeles":       {"LA"},
		"DE/Munich":            {"München"},
		"DE/Köln":              {"Cologne"},
		"DE/Nuremberg":         {"Nürnberg"},
		"DE/Hannover":          {"Hanover"},
		"DE/Frankfurt am Main": {"Frankfurt"},
		"AT/Vienna":            {"Wien"},
		"CH/Geneva":            {"Genève", "Genf"},
		"CH/Basel":             {"Basle", "Bâle"},
		"CH/Bern":              {"Berne"},
		"IT/Rome":              {"Roma"},
		"IT/Milan":             {"Milano"},
		"IT/Turin":             {"Torino"},
		"IT/Florence":          {"Firenze"},
		"IT/Venice":            {"Venezia"},
		"IT/Naples":            {"Napoli"},
		"IT/Genoa":             {"Genova"},
		"CZ/Prague":            {"Praha"},
		"PL/Warsaw":            {"Warszawa"},
		"PL/Kraków":            {"Cracow"},
		"PT/Lisbon":            {"Lisboa"},
		"DK/Copenhagen":        {"København"},
		"SE/Gothenburg":        {"Göteborg"},
		"BE/Brussels":          {"Bruxelles", "Brussel"},
		"BE/Antwerp":           {"Antwerpen"},
		"BE/Gent":              {"Ghent"},
		"NL/The Hague":         {"Den Haag", "'s-Gravenhage"},
		"GR/Athens":            {"Athina"},
		"RO/Bucharest":         {"București"},
		"RS/Belgrade":          {"Beograd"},
		"UA/Kyiv":              {"Kiev"},
		"RU/Moscow":            {"Moskva"},
		"RU/Saint Petersburg":  {"Sankt-Peterburg"},
		"ES/Sevilla":           {"Seville"},
		"MX/Mexico City":       {"Ciudad de México", "CDMX", "México DF"},
		"CN/Beijing":           {"Peking"},
		"IN/Mumbai":            {"Bombay"},
		"IN/Bengaluru":         {"Bangalore"},
		"IN/Chennai":           {"Madras"},
		"IN/Kolkata":           {"Calcutta"},
		"VN/Ho Chi Minh City":  {"Saigon"},
		"BR/Rio de Janeiro":    {"Rio"},
		"CA/Québec":            {"Quebec City", "Quebec"},
	}
}
